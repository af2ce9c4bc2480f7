"""The fault test: real processes, a seeded schedule of faults, and what everybody was told held against the logs.

`python -m tests.faults --help`; a short form of it runs with the other tests.
"""
