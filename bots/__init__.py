"""Players made of code: a view and its legal actions in, an action out."""
