"""The messages between server and clients and their msgpack form."""
