"""Renders the chart, and says what of it is not as it should be. Run by lab/chart-test."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

import cases
import rules
from openapi import OpenApi
from pretended import Pretended

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHART = ROOT / "deploy" / "chart"
SNAPSHOTS = ["--api-versions", "snapshot.storage.k8s.io/v1"]


class Chart:
    def __init__(self, helm, openapi):
        self.helm = helm
        self.openapi = openapi

    def run(self, *arguments, **options):
        return subprocess.run([self.helm, *arguments], capture_output=True, text=True, check=False, **options)

    def render(self, *arguments, snapshots=True):
        command = ["template", "rel", str(CHART), "--namespace", "storage", "--kube-version", "1.36.3"]
        done = self.run(*command, *(SNAPSHOTS if snapshots else []), *arguments)
        if done.returncode:
            raise AssertionError(done.stderr)
        return [thing for thing in yaml.load_all(done.stdout, OneOne) if thing]


class OneOne(yaml.SafeLoader):
    """Refuses a key that stands twice, which Kubernetes would."""

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key) for key, _ in node.value]
        twice = {key for key in keys if keys.count(key) > 1}
        if twice:
            raise AssertionError(f"{node.start_mark.line + 1}: twice: {twice}")
        return super().construct_mapping(node, deep)


def rendered(chart, file):
    """A values file of ci: it lints, and all that comes of it is well formed."""
    lint = chart.run("lint", "--strict", "--quiet", "--kube-version", "1.36.3", str(CHART), "-f", str(file))
    # lint knows no further API versions: what is refused for the lack of them is rendered below.
    if lint.returncode and "does not know snapshot.storage.k8s.io/v1" not in lint.stdout + lint.stderr:
        raise AssertionError(lint.stdout + lint.stderr)
    things = chart.render("-f", str(file))
    problems = [f"{name(t)}{problem}" for t in things for problem in chart.openapi.problems(t)]
    problems += rules.problems(things, file.name.startswith(("democratic-csi-", "linstor-")))
    if problems:
        raise AssertionError("\n".join(problems))
    notes = installed(chart, [], "", "-f", str(file), snapshots=True).split("NOTES:")[1]
    assert "Fairlead" in notes and "<no value>" not in notes and "%!" not in notes, notes
    case = getattr(cases, file.name.removesuffix("-values.yaml").replace("-", "_"))
    case(cases.Release(things), chart)


def refused(chart, file):
    """A values file of bad: its first lines say, after '# expect: ', what has to be in the message."""
    expected = re.findall(r"^# expect: (.*)$", file.read_text(encoding="utf-8"), re.M)
    if not expected:
        raise AssertionError("expects nothing")
    try:
        chart.render("-f", str(file), snapshots="snapshots" not in file.name)
    except AssertionError as e:
        missing = [text for text in expected if text not in str(e)]
        if missing:
            raise AssertionError(f"not said: {missing}\n{e}") from e
        return
    raise AssertionError("was rendered")


def installed(chart, objects, expected, *arguments, snapshots=False):
    """An installation into a cluster with these objects ends with this message, or works where it is empty."""
    with Pretended(objects, snapshots) as kubeconfig, tempfile.NamedTemporaryFile("w") as file:
        file.write(kubeconfig)
        file.flush()
        done = chart.run("install", "rel", str(CHART), "--namespace", "storage", "--dry-run=server",
                         "--disable-openapi-validation", "--kubeconfig", file.name, *arguments)
    if expected and (not done.returncode or expected not in done.stderr):
        raise AssertionError(f"not said: {expected}\n{done.stdout[-2000:]}{done.stderr}")
    if not expected and done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


def name(thing):
    return f"{thing['kind']} {thing['metadata']['name']}: "


def all_cases(chart):
    for file in sorted((CHART / "ci").glob("*-values.yaml")):
        yield "renders " + file.name, lambda file=file: rendered(chart, file)
    for file in sorted((ROOT / "lab/chart.d/bad").glob("*.yaml")):
        yield "refuses " + file.name, lambda file=file: refused(chart, file)
    for what, check in cases.checks(chart, installed):
        yield what, check


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--helm", required=True)
    parser.add_argument("--openapi", required=True)
    parser.add_argument("word", nargs="?", default="")
    options = parser.parse_args()
    chart = Chart(options.helm, OpenApi(options.openapi))
    passed = failed = 0
    for what, check in all_cases(chart):
        if options.word not in what:
            continue
        try:
            check()
            passed += 1
        except (AssertionError, LookupError, OSError) as e:
            failed += 1
            print(f"FAILED: {what}")
            print("\n".join("  | " + line for line in str(e).splitlines()[:20]))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
