package dev.fairlead.adapter.freenas;

import dagger.Module;
import dagger.Provides;
import dagger.multibindings.IntoMap;
import dagger.multibindings.StringKey;
import dev.fairlead.adapter.freenas.client.connection.TruenasConnections;
import dev.fairlead.adapter.freenas.export.HostTurns;
import dev.fairlead.adapter.freenas.export.TargetGrowth;
import dev.fairlead.adapter.freenas.iscsi.FreenasIscsiExporter;
import dev.fairlead.adapter.freenas.iscsi.IscsiSettings;
import dev.fairlead.adapter.freenas.late.LateCalls;
import dev.fairlead.adapter.freenas.nvmet.FreenasNvmeofExporter;
import dev.fairlead.adapter.freenas.nvmet.SubsystemSettings;
import dev.fairlead.adapter.freenas.smb.FreenasSmbExporter;
import dev.fairlead.adapter.freenas.smb.SmbShareSettings;
import dev.fairlead.adapter.freenas.store.settings.FreenasStoreSettings;
import dev.fairlead.application.config.ConfigNode;
import dev.fairlead.application.port.out.ConnectionScope;
import dev.fairlead.application.port.out.export.ExporterFactory;
import dev.fairlead.application.port.out.export.ExporterTraits;
import dev.fairlead.application.port.out.host.StorageHosts;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.attachment.NvmeOption;
import dev.fairlead.domain.volume.CapabilityRules;
import jakarta.inject.Singleton;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

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
        return ExporterFactory.of(
                ExporterTraits.sharedFiles(Attachment.Smb.class, CapabilityRules.files(Set.of("nfs", "cifs")), true),
                (scope, file, _) -> {
                    SmbShareSettings settings = SmbShareSettings.read(file);
                    return new FreenasSmbExporter(
                            connections.open(scope, file, FreenasStoreSettings.parents(file)),
                            settings,
                            late,
                            turns,
                            host(file));
                });
    }

    @Provides
    @IntoMap
    @StringKey("truenas-iscsi")
    static ExporterFactory iscsi(TruenasConnections connections, HostTurns turns) {
        return targets(connections, turns, (_, _) -> Optional.empty());
    }

    @Provides
    @IntoMap
    @StringKey("truenas-iscsi-with-ssh")
    static ExporterFactory iscsiWithSsh(TruenasConnections connections, HostTurns turns, StorageHosts hosts) {
        return targets(connections, turns, (scope, file) -> Optional.of(TargetGrowth.open(hosts, scope, file)));
    }

    private static ExporterFactory targets(
            TruenasConnections connections,
            HostTurns turns,
            BiFunction<ConnectionScope, ConfigNode, Optional<TargetGrowth>> growth) {
        return ExporterFactory.of(ExporterTraits.sharedDevices(Attachment.Iscsi.class), (scope, file, notes) -> {
            IscsiSettings settings = IscsiSettings.read(file);
            return new FreenasIscsiExporter(
                    connections.open(scope, file, FreenasStoreSettings.parents(file)),
                    settings,
                    turns,
                    host(file),
                    notes,
                    growth.apply(scope, file));
        });
    }

    @Provides
    @IntoMap
    @StringKey("truenas-nvmeof")
    static ExporterFactory nvmeof(TruenasConnections connections, LateCalls late, HostTurns turns) {
        return subsystems(connections, late, turns, (_, _) -> Optional.empty());
    }

    @Provides
    @IntoMap
    @StringKey("truenas-nvmeof-with-ssh")
    static ExporterFactory nvmeofWithSsh(
            TruenasConnections connections, LateCalls late, HostTurns turns, StorageHosts hosts) {
        return subsystems(
                connections, late, turns, (scope, file) -> Optional.of(TargetGrowth.open(hosts, scope, file)));
    }

    private static ExporterFactory subsystems(
            TruenasConnections connections,
            LateCalls late,
            HostTurns turns,
            BiFunction<ConnectionScope, ConfigNode, Optional<TargetGrowth>> growth) {
        return ExporterFactory.of(
                ExporterTraits.sharedDevices(Attachment.Nvmeof.class).understanding(NvmeOption.classKeys()),
                (scope, file, notes) -> {
                    SubsystemSettings settings = SubsystemSettings.read(file);
                    return new FreenasNvmeofExporter(
                            connections.open(scope, file, FreenasStoreSettings.parents(file)),
                            settings,
                            late,
                            turns,
                            host(file),
                            notes,
                            growth.apply(scope, file));
                });
    }

    /** Returns the box's name, by which connections to one box wait for each other. */
    private static String host(ConfigNode file) {
        return file.child("httpConnection").string("host", "").toLowerCase(Locale.ROOT);
    }
}
