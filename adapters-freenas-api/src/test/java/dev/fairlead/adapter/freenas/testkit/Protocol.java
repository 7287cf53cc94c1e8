package dev.fairlead.adapter.freenas.testkit;

import dev.fairlead.adapter.freenas.FreenasExportModule;
import dev.fairlead.adapter.freenas.FreenasModule;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.store.StoreFactory;
import dev.fairlead.domain.volume.VolumeMedium;
import java.time.InstantSource;

/** A way to export volumes, with its block of a connection's file. */
public enum Protocol {
    NFS("nfs", VolumeMedium.Kind.FILESYSTEM, "shareHost", "nas.example.org"),
    SMB("smb", VolumeMedium.Kind.FILESYSTEM, "shareHost", "nas.example.org"),
    ISCSI("iscsi", VolumeMedium.Kind.BLOCK_DEVICE, "targetPortal", "nas.example.org:3260"),
    NVMEOF("nvmeof", VolumeMedium.Kind.BLOCK_DEVICE, "transport", "tcp://nas.example.org:4420");

    private final String block;
    private final VolumeMedium.Kind kind;
    private final String hostKey;
    private final String host;

    Protocol(String block, VolumeMedium.Kind kind, String hostKey, String host) {
        this.block = block;
        this.kind = kind;
        this.hostKey = hostKey;
        this.host = host;
    }

    public String driverType() {
        return "freenas-api-" + block;
    }

    public boolean isBlock() {
        return kind == VolumeMedium.Kind.BLOCK_DEVICE;
    }

    String block() {
        return block;
    }

    String hostKey() {
        return hostKey;
    }

    String host() {
        return host;
    }

    StoreFactory store(TruenasConnections connections, LateCalls pending, InstantSource clock) {
        return isBlock()
                ? FreenasModule.volumes(connections, pending, clock)
                : FreenasModule.filesystems(connections, pending, clock);
    }

    ExporterFactory exporter(TruenasConnections connections, LateCalls pending) {
        return switch (this) {
            case NFS -> FreenasModule.nfs(connections, pending);
            case SMB -> FreenasExportModule.smb(connections, pending, new HostTurns());
            case ISCSI -> FreenasExportModule.iscsi(connections, new HostTurns());
            case NVMEOF -> FreenasExportModule.nvmeof(connections, pending, new HostTurns());
        };
    }
}
