"""What an image is made of, as CycloneDX JSON.

Debian's packages by the image's own package database (those that only files were taken from too, with the files' names), the
Java runtime by its release file, the jars by their hashes and their Maven names. Needs no network, and says the same for the
same content.
"""
import hashlib
import json
import pathlib
import re
import uuid
import zipfile
from urllib.parse import quote


def packages(root):
    """The text of the package database below a root, and of what says which packages files were taken from."""
    folder = pathlib.Path(root, "var/lib/dpkg")
    return "\n\n".join(file.read_text() for file in [folder / "status", *sorted(folder.glob("status.d/*"))])


def debian(status):
    for paragraph in status.split("\n\n"):
        fields = dict(re.findall(r"^(\S+): (.*)$", paragraph, re.MULTILINE))
        files = fields.get("Fairlead-Files", "")
        if files or "installed" in fields.get("Status", "").split():
            name, version, arch = fields["Package"], fields["Version"], fields["Architecture"]
            source = fields.get("Source", name).split()[0]
            yield {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:deb/debian/{quote(name)}@{quote(version)}?arch={arch}&distro=debian-12",
                "properties": [{"name": "debian:source", "value": source}]
                + ([{"name": "debian:files", "value": files}] if files else []),
            }


def java(release):
    fields = dict(re.findall(r'^(\w+)="(.*)"$', release, re.MULTILINE))
    version = fields["JAVA_RUNTIME_VERSION"] if "JAVA_RUNTIME_VERSION" in fields else fields["JAVA_VERSION"]
    vendor = fields.get("IMPLEMENTOR", "OpenJDK")
    yield {
        "type": "platform",
        "publisher": vendor,
        "name": "openjdk-runtime",
        "version": version,
        "purl": f"pkg:generic/openjdk-runtime@{quote(version)}?vendor={quote(vendor)}",
        "properties": [{"name": "java:modules", "value": fields.get("MODULES", "")}],
    }


def jars(folder):
    for jar in sorted(pathlib.Path(folder).glob("*.jar")):
        group, name, version = coordinates(jar)
        purl = purl_of(jar)
        component = {
            "type": "library",
            "name": name,
            "version": version,
            "purl": purl,
            "hashes": [{"alg": "SHA-256", "content": sha256(jar)}],
            "properties": [{"name": "file", "value": "/usr/lib/fairlead/lib/" + jar.name}],
        }
        yield component | ({"group": group} if group else {})


def purl_of(jar):
    group, name, version = coordinates(jar)
    return f"pkg:maven/{quote(group)}/{quote(name)}@{quote(version)}" if group else f"pkg:generic/{name}@{version}"


def coordinates(jar):
    """Maven's names: by the file name, and the group from inside the jar or from where Maven keeps the same file."""
    name, version = re.fullmatch(r"(.+?)-(\d.*)\.jar", jar.name).groups()
    with zipfile.ZipFile(jar) as content:
        for entry in content.namelist():
            if re.fullmatch(rf"META-INF/maven/[^/]+/{re.escape(name)}/pom\.properties", entry):
                return entry.split("/")[2], name, version
    repository = pathlib.Path.home() / ".m2" / "repository"
    for kept in sorted(repository.glob(f"**/{name}/{version}/{jar.name}")):
        return ".".join(kept.relative_to(repository).parts[:-3]), name, version
    return "", name, version


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def bill(status, release, lib, version):
    """The bill for a package database's text, a Java release file's text, and a folder of jars."""
    components = [*debian(status), *java(release), *jars(lib)]
    for component in components:
        component["bom-ref"] = component["purl"]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(components, sort_keys=True))),
        "version": 1,
        "metadata": {"component": {"type": "container", "name": "fairlead", "version": version}},
        "components": components,
    }
