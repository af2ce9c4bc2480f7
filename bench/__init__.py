"""Measurements: what a server costs and how quick it is, beside a bare relay under the same load."""
