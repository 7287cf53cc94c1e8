package dev.fairlead.domain.volume;

import java.util.regex.Pattern;

/**
 * Tells the names of folders that are volumes of kubevirt's hostpath-provisioner: they end with the UUID that
 * Kubernetes gave to the claim. Its CSI driver calls them {@code <prefix>-<uuid>}, as the provisioner's option
 * {@code --volume-name-prefix} says ({@code pvc} by default); the former provisioner likewise, or
 * {@code <claim>-pvc-<uuid>} with {@code USE_NAMING_PREFIX}.
 */
public final class HostpathName {
    /** The form of the names: at most 200 characters, and no path. */
    public static final Pattern FORM = Pattern.compile("(?=.{1,200}$)[A-Za-z0-9][A-Za-z0-9._-]*-"
            + "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private HostpathName() {}

    public static boolean isName(String text) {
        return FORM.matcher(text).matches();
    }
}
