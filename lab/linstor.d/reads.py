"""Reads a LINSTOR, simulated or real, with LINBIT's own client for Python: pip install python-linstor==1.29.1.

Usage: reads.py URL. Exit code 0 if everything was read without an error. It only reads.
"""

import sys
from urllib.parse import urlparse

import linstor


def main(url):
    place = urlparse(url)
    with linstor.Linstor("linstor://%s:%d" % (place.hostname, place.port or 3370)) as client:
        read = {
            "nodes": [node.name for node in client.node_list_raise().nodes],
            "pools": [pool.name for pool in client.storage_pool_list_raise().storage_pools],
            "groups": [group.name for group in client.resource_group_list_raise().resource_groups],
            "definitions": [
                definition.name
                for definition in client.resource_dfn_list_raise(query_volume_definitions=True).resource_definitions
            ],
            "replicas": [
                "%s on %s %s" % (replica.name, replica.node_name, replica.flags)
                for replica in client.volume_list_raise().resources
            ],
        }
        version = client.controller_version()
    print("controller %s, REST %s" % (version.version, version.rest_api_version))
    for kind, names in read.items():
        print("%s: %s" % (kind, ", ".join(names)))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
