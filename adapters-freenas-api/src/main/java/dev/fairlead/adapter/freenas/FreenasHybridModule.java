package dev.fairlead.adapter.freenas;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.hybrid.BoxWay;
import dev.fairlead.adapter.freenas.hybrid.OneBox;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.application.port.work.MonotonicClock;
import jakarta.inject.Singleton;

/** Contributes the exporters of volumes that are kept by SSH and shared by the API of the same TrueNAS box. */
@Module
public interface FreenasHybridModule {
    @Provides
    @Singleton
    static OneBox boxes() {
        return new OneBox(new MonotonicClock());
    }

    @Provides
    @Singleton
    static BoxWay way(TruenasConnections connections, StorageHosts hosts, OneBox boxes) {
        return BoxWay.withSsh(connections, hosts, boxes);
    }

    @Provides
    @IntoMap
    @StringKey("truenas-nfs-with-ssh")
    static ExporterFactory nfsWithSsh(BoxWay way, LateCalls late) {
        return FreenasModule.shares(way, late);
    }

    @Provides
    @IntoMap
    @StringKey("truenas-smb-with-ssh")
    static ExporterFactory smbWithSsh(BoxWay way, LateCalls late, HostTurns turns) {
        return FreenasExportModule.shares(way, late, turns);
    }

    @Provides
    @IntoMap
    @StringKey("truenas-iscsi-with-ssh")
    static ExporterFactory iscsiWithSsh(BoxWay way, HostTurns turns) {
        return FreenasExportModule.targets(way, turns);
    }

    @Provides
    @IntoMap
    @StringKey("truenas-nvmeof-with-ssh")
    static ExporterFactory nvmeofWithSsh(BoxWay way, LateCalls late, HostTurns turns) {
        return FreenasExportModule.subsystems(way, late, turns);
    }
}
