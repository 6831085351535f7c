"""Counts the tests in JUnit XML files, as ctest and lit write them.

count_results.py FILE... prints "<passed> <failed> <skipped>" for all files together, and on the
lines after it the names of the tests that failed. A file that is missing, is not XML or has no test
counts as one failed test: a suite that did not run has not passed.
"""
import os
import sys
import xml.etree.ElementTree


def outcome(case):
    """What became of one test: 'passed', 'failed' or 'skipped'."""
    if any(case.find(tag) is not None for tag in ("failure", "error")):
        return "failed"
    if case.get("status") == "fail":
        return "failed"
    if case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
        return "skipped"
    return "passed"


def count(paths):
    """The numbers of each outcome, and the names of the failed tests."""
    numbers = {"passed": 0, "failed": 0, "skipped": 0}
    failures = []

    def failed(name):
        numbers["failed"] += 1
        failures.append(name)

    for path in paths:
        suite = os.path.splitext(os.path.basename(path))[0]
        try:
            cases = list(xml.etree.ElementTree.parse(path).getroot().iter("testcase"))
        except (OSError, xml.etree.ElementTree.ParseError) as error:
            failed(f"{suite}: no results ({error})")
            continue
        if not cases:
            failed(f"{suite}: no test was executed")
        for case in cases:
            what = outcome(case)
            if what == "failed":
                failed(f"{suite}: {case.get('classname', '')} {case.get('name', '')}")
            else:
                numbers[what] += 1
    return numbers, failures


if __name__ == "__main__":
    totals, names = count(sys.argv[1:])
    print(totals["passed"], totals["failed"], totals["skipped"])
    for name in names:
        print(name)
