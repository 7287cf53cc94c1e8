package dev.fairlead.adapter.zfs.lio;

import dev.fairlead.adapter.zfs.asset.AssetName;
import dev.fairlead.adapter.zfs.asset.AssetNames;
import dev.fairlead.application.port.out.host.PosixShell;
import java.util.Optional;

/**
 * A target with its backstore, and the device that both are there for.
 *
 * @param base of the names of all targets of this connection
 * @param iqn empty where it is not known
 * @param asset the backstore's name; empty where it is not known
 */
record LioTarget(String base, String iqn, String asset, String device) {
    static LioTarget of(AssetNames names, Optional<AssetName> asset, String device) {
        return new LioTarget(
                names.base(),
                asset.map(names::target).orElse(""),
                asset.map(AssetName::value).orElse(""),
                device);
    }

    String variables() {
        return "BASE=%s\nIQN=%s\nASSET=%s\nDEVICE=%s\n"
                .formatted(
                        PosixShell.quote(base),
                        PosixShell.quote(iqn),
                        PosixShell.quote(asset),
                        PosixShell.quote(device));
    }
}
