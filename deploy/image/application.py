#!/usr/bin/env python3
"""application.py FOLDER BASE JAVA_RELEASE VERSION: puts Fairlead, its licence and its bill of materials there."""
import json
import pathlib
import shutil
import sys

import sbom

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIB = ROOT / "bootstrap/target/fairlead/lib"


def ingredients():
    options, licence = ROOT / "bootstrap/src/main/jvm.options", ROOT / "LICENSE"
    files = [*HERE.glob("*.py"), *(HERE / "rootfs").rglob("*"), options, licence]
    return [file.read_text() for file in sorted(files) if file.is_file()] + [
        # With what Maven calls it, which is found beside the jar: a bill that lacked a name is not kept for good.
        jar.name + sbom.sha256(jar) + sbom.purl_of(jar) for jar in sorted(LIB.glob("*.jar"))
    ]


def make(folder, status, release, version):
    home, about = folder / "usr/lib/fairlead", folder / "usr/share/doc/fairlead"
    shutil.copytree(LIB, home / "lib")
    shutil.copy(ROOT / "bootstrap/src/main/jvm.options", home)
    shutil.copytree(HERE / "rootfs", folder, symlinks=True, dirs_exist_ok=True)
    about.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", about / "copyright")
    bill = sbom.bill(status, release, home / "lib", version)
    (about / "sbom.cdx.json").write_text(json.dumps(bill, indent=1, sort_keys=True) + "\n")
    for path in [path for path in folder.rglob("*") if not path.is_symlink()]:
        path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)


if __name__ == "__main__":
    out, base, java, number = sys.argv[1:]
    make(pathlib.Path(out), sbom.packages(base), pathlib.Path(java).read_text(), number)
