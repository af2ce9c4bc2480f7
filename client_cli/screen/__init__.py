"""The full-screen client."""
