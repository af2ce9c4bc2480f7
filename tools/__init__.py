"""Programs for those who work on Biritch. None of them is installed with it."""
