"""Fails unless a condition holds at a site of a file of statistics: FILE PLACE CONDITION.

Names in the condition: visits, fetched, pushed, efficiency, coverage, seconds (in barriers).
"""
import json
import sys

path, place, condition = sys.argv[1:]
with open(path) as file:
    sites = [site for site in json.load(file)["sites"] if place in site["place"]]
if len(sites) != 1:
    sys.exit(f"{len(sites)} sites have a name with '{place}'")
site = sites[0]
names = {
    "visits": site["visits"],
    "fetched": site["blocks_fetched"],
    "pushed": site["blocks_pushed"],
    "efficiency": site["efficiency"],
    "coverage": site["coverage"],
    "seconds": site["time_in_barriers_seconds"],
}
if not eval(condition, {"__builtins__": {}}, names):
    sys.exit(f"not true of {site}: {condition}")
