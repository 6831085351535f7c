"""Tests of count_results.py: a failure is never lost."""
import os
import tempfile
import unittest

import count_results

CTEST = """<testsuite name="Linux-c++" tests="3" failures="1" disabled="0" skipped="1">
  <testcase name="fabric/a" status="run"><system-out>text</system-out></testcase>
  <testcase name="fabric/b" status="fail"><failure message="Failed"/></testcase>
  <testcase name="fabric/c" status="notrun"><skipped message="SKIP"/></testcase>
</testsuite>"""
LIT = """<testsuites time="0.1"><testsuite name="multinode" tests="2" failures="1">
  <testcase classname="multinode.a" name="x"/>
  <testcase classname="multinode.b" name="y"><failure><![CDATA[wrong]]></failure></testcase>
</testsuite></testsuites>"""


class CountResults(unittest.TestCase):
    def count(self, *texts):
        with tempfile.TemporaryDirectory() as directory:
            paths = []
            for k, text in enumerate(texts):
                paths.append(os.path.join(directory, f"suite{k}.xml"))
                if text is not None:
                    with open(paths[-1], "w") as file:
                        file.write(text)
            numbers, names = count_results.count(paths)
        self.assertEqual(numbers["failed"], len(names))
        return numbers["passed"], numbers["failed"], numbers["skipped"]

    def test_results_of_ctest(self):
        self.assertEqual(self.count(CTEST), (1, 1, 1))

    def test_results_of_lit(self):
        self.assertEqual(self.count(LIT), (1, 1, 0))

    def test_sums_over_files(self):
        self.assertEqual(self.count(CTEST, LIT, LIT), (3, 3, 1))

    def test_a_missing_file_is_a_failure(self):
        self.assertEqual(self.count(None), (0, 1, 0))

    def test_a_broken_file_is_a_failure(self):
        self.assertEqual(self.count("<testsuite><testcase"), (0, 1, 0))

    def test_a_suite_without_tests_is_a_failure(self):
        self.assertEqual(self.count('<testsuite name="x" tests="0"></testsuite>'), (0, 1, 0))


if __name__ == "__main__":
    unittest.main()
