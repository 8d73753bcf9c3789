/** Prints the last line of .ci/run from vitest's report, and sets the exit code. `problems` = 1 when a step before it failed. */
import { existsSync, readFileSync } from "node:fs";

const [report, problems] = process.argv.slice(2);

/** @returns {{ passed: number, failed: number }} */
function count() {
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
  // A file that could not even be loaded has failed without a failing test of its own.
  const failedFiles = testResults.filter(({ status, assertionResults }) => {
    return status === "failed" && !assertionResults.some((test) => test.status === "failed");
  });
  return { passed: numPassedTests, failed: numFailedTests + failedFiles.length };
}

const { passed, failed } = count();
// Types, lint or an error outside of any test: nothing may look all right then.
const failures = failed === 0 && (problems !== "0" || passed === 0) ? 1 : failed;
console.log(`${passed} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;
