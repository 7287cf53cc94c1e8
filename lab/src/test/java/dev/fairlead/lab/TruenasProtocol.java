package dev.fairlead.lab;

/** A way to export volumes of a TrueNAS, with its block of a connection's file. */
enum TruenasProtocol {
    NFS("nfs", "address", "nfs: {shareHost: nas.example.org}"),
    SMB("smb", "address", "smb: {shareHost: nas.example.org}"),
    ISCSI("iscsi", "iqn", "iscsi: {targetPortal: \"nas.example.org:3260\"}"),
    NVMEOF("nvmeof", "nqn", "nvmeof: {transport: \"tcp://nas.example.org:4420\"}");

    private final String name;
    private final String part;
    private final String block;

    TruenasProtocol(String name, String part, String block) {
        this.name = name;
        this.part = part;
        this.block = block;
    }

    /** Returns a file of the one driver, whose volumes let in the nodes alone that they are published to. */
    String file(int port, String key) {
        boolean files = name.equals("nfs") || name.equals("smb");
        return """
                driver: freenas-api-%s
                httpConnection: {protocol: https, host: 127.0.0.1, port: %d, apiKey: "%s", allowInsecure: true}
                zfs:
                  datasetParentName: tank/k8s/v
                  detachedSnapshotsDatasetParentName: tank/k8s/s
                  datasetEnableQuotas: true
                %s
                %s
                fairlead:
                  publish: nodes
                  nodeId:
                    parts: {nodeName: true, address: %b, iqn: %b, nqn: %b}
                    iqnPrefix: [{shortName: "1", prefix: "iqn.1993-08.org.debian:01:"}]
                    nqnPrefix: [{shortName: u, prefix: "nqn.2014-08.org.nvmexpress:uuid:"}]
                """.formatted(
                        name,
                        port,
                        key,
                        files ? "  datasetPermissionsMode: \"0777\"" : "",
                        block,
                        part.equals("address"),
                        part.equals("iqn"),
                        part.equals("nqn"));
    }
}
