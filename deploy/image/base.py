#!/usr/bin/env python3
"""base.py FOLDER: makes the Debian below Fairlead, from the lists in `packages` and `programs`, with no registry."""
import os
import pathlib
import shlex
import shutil
import stat
import sys

from tell import die, output, run, words_of

HERE = pathlib.Path(__file__).resolve().parent
SUITE = "bookworm"
# Where packages' scripts write the time of day, they get this one.
EPOCH = "1767225600"
# What has no use where nothing is installed any more, what the container's runtime brings, and what differs each time.
LEFT_OUT = [
    "dev/*", "etc/apt", "etc/cron.daily", "etc/dpkg/dpkg.cfg.d/99mmdebstrap", "etc/hostname", "etc/logrotate.d",
    "etc/resolv.conf", "etc/update-motd.d", "usr/share/bash-completion", "usr/share/bug", "usr/share/doc-base",
    "usr/share/doc/*/[!c]*", "usr/share/doc/*/changelog*", "usr/share/info", "usr/share/lintian", "usr/share/locale",
    "usr/share/man", "usr/share/menu", "var/cache/*", "var/lib/apt", "var/lib/dpkg/*-old", "var/lib/dpkg/lock*",
    "var/lib/dpkg/triggers/Lock", "var/log/*",
]
DEFAULT_SOURCES = f"""\
deb http://deb.debian.org/debian {SUITE} main
deb http://deb.debian.org/debian {SUITE}-updates main
deb http://deb.debian.org/debian-security {SUITE}-security main
"""


def sources():
    """The machine's own sources of this suite, from whatever mirror it has; without any, Debian's."""
    suites = {SUITE, f"{SUITE}-updates", f"{SUITE}-security"}
    folder = pathlib.Path("/etc/apt")
    stanzas = []
    for file in sorted(folder.glob("sources.list.d/*.sources")):
        for stanza in file.read_text().split("\n\n"):
            lines = [line for line in stanza.splitlines() if line and not line.startswith("#")]
            fields = dict(line.split(":", 1) for line in lines if ":" in line and not line.startswith(" "))
            if suites & set(fields.get("Suites", "").split()) and fields.get("Enabled", "yes").strip() != "no":
                stanzas.append("\n".join(lines) + "\n")
    if stanzas:
        return "\n".join(stanzas)
    files = [file for file in [folder / "sources.list", *sorted(folder.glob("sources.list.d/*.list"))] if file.exists()]
    lines = [line for file in files for line in file.read_text().splitlines()]
    chosen = [line for line in lines if line.startswith("deb ") and suites & set(line.split())]
    return "\n".join(chosen) + "\n" if chosen else DEFAULT_SOURCES


def programs():
    """Which files are taken out of which packages."""
    lines = [line.split("#")[0].split() for line in (HERE / "programs").read_text().splitlines()]
    return {line[0]: line[1:] for line in lines if line}


def ingredients():
    taken = [" ".join([package, *files]) for package, files in programs().items()]
    return [pathlib.Path(__file__).read_text(), sources(), *words_of(HERE / "packages"), *taken]


def take_programs(folder, debs):
    """Puts the named files of the packages in `debs` into the image, with their licences, and says there that they are."""
    (folder / "var/lib/dpkg/status.d").mkdir()
    for package, files in programs().items():
        deb = next(iter(debs.glob(f"{package}_*.deb")), None) or die(f"{package} was not downloaded")
        content = debs / package
        run(debs / "log", "dpkg-deb", "--extract", str(deb), str(content))
        about = f"usr/share/doc/{package}/copyright"
        for name in [*(file.lstrip("/") for file in files), about]:
            source, target = content / name, folder / name
            if not os.path.lexists(source):
                die(f"{package} has no file /{name}")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target, follow_symlinks=name == about)
        # As in images that have no dpkg, so that scanners find it; what is left of the package follows it.
        (folder / "var/lib/dpkg/status.d" / package).write_text(
            output("dpkg-deb", "--field", str(deb)) + "\nFairlead-Files: " + " ".join(files) + "\n")


def make(folder):
    text = sources()
    file = folder.parent / ("debian.list" if text.startswith("deb ") else "debian.sources")
    file.write_text(text)
    debs = folder.parent / "debs"
    debs.mkdir()
    download = f'cd {shlex.quote(str(debs))} && APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get download ' + " ".join(programs())
    run(
        folder.parent / "log", "mmdebstrap", "--mode=root", "--variant=custom", "--format=directory",
        # A mirror that refuses a file once is asked again.
        '--aptopt=Acquire::Retries "4"',
        "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr", "--include=" + ",".join(words_of(HERE / "packages")),
        "--customize-hook=" + download, SUITE, str(folder), str(file), env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH},
    )
    take_programs(folder, debs)
    shutil.rmtree(debs)
    for path in [path for pattern in LEFT_OUT for path in folder.glob(pattern)]:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    # Nobody in the image needs another's rights: who mounts is root already.
    for path in [path for path in folder.rglob("*") if not path.is_symlink()]:
        path.chmod(path.stat().st_mode & ~(stat.S_ISUID | stat.S_ISGID))
    (folder / "etc/machine-id").touch()
    with open(folder / "etc/passwd", "a") as users, open(folder / "etc/group", "a") as groups:
        users.write("fairlead:x:65532:65532:Fairlead:/home/csi/app:/usr/sbin/nologin\n")
        groups.write("fairlead:x:65532:\n")


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]).absolute())
