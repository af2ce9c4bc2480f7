"""The game server: pure tables, and what connects them to stores and sockets."""
