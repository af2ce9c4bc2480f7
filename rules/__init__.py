"""The laws of the games: pure functions on frozen values."""
