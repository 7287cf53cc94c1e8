package dev.fairlead.application.service;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognises the paths at which kubelet stages volumes of some drivers.
 *
 * @param drivers their CSI names
 */
record StagingPaths(Set<String> drivers) {
    private static final Pattern STAGING =
            Pattern.compile(".*/plugins/kubernetes\\.io/csi/([^/]+)/[0-9a-f]{64}/globalmount");

    StagingPaths {
        drivers = Set.copyOf(drivers);
    }

    boolean include(String mountPoint) {
        var matcher = STAGING.matcher(mountPoint);
        return matcher.matches() && drivers.contains(matcher.group(1));
    }
}
