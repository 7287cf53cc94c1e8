package dev.fairlead.application.service.node;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognises the paths at which kubelet stages volumes of some drivers.
 *
 * @param drivers their CSI names
 */
public record StagingPaths(Set<String> drivers) {
    private static final Pattern STAGING =
            Pattern.compile(".*/plugins/kubernetes\\.io/csi/([^/]+)/[0-9a-f]{64}/globalmount");

    public StagingPaths {
        drivers = Set.copyOf(drivers);
    }

    public boolean include(String mountPoint) {
        var matcher = STAGING.matcher(mountPoint);
        return matcher.matches() && drivers.contains(matcher.group(1));
    }

    /** Returns the staging path of a mount that may be that of the raw device in it. */
    public static String staging(String mountPoint) {
        String device = "/" + device(Path.of("")).getFileName();
        return mountPoint.endsWith(device)
                ? mountPoint.substring(0, mountPoint.length() - device.length())
                : mountPoint;
    }

    /** Returns the places at which something of a volume may be mounted that is staged there, the inner one first. */
    static List<Path> all(Path staging) {
        return List.of(device(staging), staging);
    }

    /** Returns the file in a staging path over which a raw device is bound, as democratic-csi has it. */
    public static Path device(Path staging) {
        return staging.resolve("block_device");
    }
}
