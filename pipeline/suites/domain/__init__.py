"""Domains: specifications of values, how values are drawn from them, and how they relate to each other."""
