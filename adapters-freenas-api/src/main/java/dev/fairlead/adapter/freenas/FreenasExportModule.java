package dev.fairlead.adapter.freenas;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.freenas.client.TruenasApi;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.hybrid.BoxWay;
import dev.fairlead.adapter.freenas.iscsi.FreenasIscsiExporter;
import dev.fairlead.adapter.freenas.iscsi.IscsiSettings;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.nvmet.FreenasNvmeofExporter;
import dev.fairlead.adapter.freenas.nvmet.SubsystemSettings;
import dev.fairlead.adapter.freenas.service.BoxService;
import dev.fairlead.adapter.freenas.smb.FreenasSmbExporter;
import dev.fairlead.adapter.freenas.smb.SmbShareSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.SharedClient;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.NvmeOption;
import dev.fairlead.domain.volume.CapabilityRules;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Set;

/** Contributes the exporters by SMB, iSCSI and NVMe-oF of TrueNAS boxes. */
@Module
public interface FreenasExportModule {
    @Provides
    @Singleton
    static HostTurns turns() {
        return new HostTurns();
    }

    @Provides
    @IntoMap
    @StringKey("truenas-smb")
    static ExporterFactory smb(TruenasConnections connections, LateCalls late, HostTurns turns) {
        return shares(BoxWay.byApi(connections), late, turns);
    }

    static ExporterFactory shares(BoxWay way, LateCalls late, HostTurns turns) {
        return ExporterFactory.of(
                ExporterTraits.sharedFiles(Attachment.Smb.class, CapabilityRules.files(Set.of("nfs", "cifs")), true),
                (scope, file, _) -> {
                    SmbShareSettings settings = SmbShareSettings.read(file);
                    SharedClient<TruenasApi> client = way.open(scope, file);
                    return FreenasModule.watched(
                            new FreenasSmbExporter(client, settings, late, turns, host(file)), client, BoxService.SMB);
                });
    }

    @Provides
    @IntoMap
    @StringKey("truenas-iscsi")
    static ExporterFactory iscsi(TruenasConnections connections, HostTurns turns) {
        return targets(BoxWay.byApi(connections), turns);
    }

    static ExporterFactory targets(BoxWay way, HostTurns turns) {
        return ExporterFactory.of(ExporterTraits.sharedDevices(Attachment.Iscsi.class), (scope, file, notes) -> {
            IscsiSettings settings = IscsiSettings.read(file);
            SharedClient<TruenasApi> client = way.open(scope, file);
            return FreenasModule.watched(
                    new FreenasIscsiExporter(client, settings, turns, host(file), notes, way.growth(scope, file)),
                    client,
                    BoxService.ISCSI);
        });
    }

    @Provides
    @IntoMap
    @StringKey("truenas-nvmeof")
    static ExporterFactory nvmeof(TruenasConnections connections, LateCalls late, HostTurns turns) {
        return subsystems(BoxWay.byApi(connections), late, turns);
    }

    static ExporterFactory subsystems(BoxWay way, LateCalls late, HostTurns turns) {
        return ExporterFactory.of(
                ExporterTraits.sharedDevices(Attachment.Nvmeof.class).understanding(NvmeOption.classKeys()),
                (scope, file, notes) -> {
                    SubsystemSettings settings = SubsystemSettings.read(file);
                    SharedClient<TruenasApi> client = way.open(scope, file);
                    return FreenasModule.watched(
                            new FreenasNvmeofExporter(
                                    client, settings, late, turns, host(file), notes, way.growth(scope, file)),
                            client,
                            BoxService.NVMEOF);
                });
    }

    /** Returns the box's name, by which connections to one box wait for each other. */
    private static String host(ConfigNode file) {
        return file.child("httpConnection").string("host", "").toLowerCase(Locale.ROOT);
    }
}
