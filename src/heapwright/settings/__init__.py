"""Settings: the table of settings, configuration files, suppressions, properties.

May import: result, program, base.
"""
