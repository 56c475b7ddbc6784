"""What can be chosen: the table of settings, configuration files, suppressions, properties.

May import: result, program, base.
"""
