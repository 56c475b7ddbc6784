"""Projects: every program and every library function of a source tree, analysed in parallel and kept in a store.

`units/` finds what there is to analyse, `store/` knows what is known, `running/` analyses the rest on the cores of a
machine or on a cluster, `findings/` merges the answers, `reports/` writes them. `session.py` is the order of it all.

May import: analysis, report, settings, c, base.
"""
