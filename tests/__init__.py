"""Tests, in folders named like the packages they test; what concerns the whole repository is here."""
