package dev.fairlead.adapter.kernel.lio;

import dev.fairlead.adapter.kernel.host.DevicePath;
import dev.fairlead.application.port.out.export.block.TargetName;
import dev.fairlead.application.port.out.export.block.TargetNaming;
import dev.fairlead.application.port.out.host.PosixShell;
import java.util.Optional;

/**
 * Names a target, its backstore, and the device that both serve.
 *
 * @param base the base of the names of all targets of this connection
 * @param iqn the target's name; empty if it is not known
 * @param asset the backstore's name; empty if it is not known
 */
record LioTarget(String base, String iqn, String asset, String device) {
    static LioTarget of(TargetNaming names, Optional<TargetName> asset, DevicePath device) {
        return new LioTarget(
                names.base(),
                asset.map(names::target).orElse(""),
                asset.map(TargetName::value).orElse(""),
                device.value());
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
