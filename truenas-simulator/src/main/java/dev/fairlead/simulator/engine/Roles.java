package dev.fairlead.simulator.engine;

import java.util.Set;

/** Holds the roles of the vendor, as far as methods here ask for them. */
public final class Roles {
    /** The role that has all others. */
    public static final String FULL_ADMIN = "FULL_ADMIN";

    private static final Set<String> OF_SHARING_ADMIN =
            Set.of("READONLY_ADMIN", "DATASET_WRITE", "FILESYSTEM_ATTRS_WRITE", "SHARING_WRITE", "SERVICE_READ");

    private Roles() {}

    /** Tells whether a caller with these roles may call a method that wants one of those. */
    public static boolean allow(Set<String> had, Set<String> wanted) {
        return wanted.isEmpty() || wanted.stream().anyMatch(role -> had.stream().anyMatch(own -> includes(own, role)));
    }

    /** Tells whether somebody sees the jobs of others. */
    public static boolean seesAllJobs(Set<String> had) {
        return had.contains(FULL_ADMIN) || had.contains("READONLY_ADMIN");
    }

    private static boolean includes(String own, String wanted) {
        if (own.equals(FULL_ADMIN) || own.equals(wanted)) return true;
        if (own.equals("READONLY_ADMIN")) return wanted.endsWith("_READ");
        if (own.equals("SHARING_ADMIN"))
            return OF_SHARING_ADMIN.stream().anyMatch(role -> includes(role, wanted))
                    || wanted.equals("ZFS_RESOURCE_WRITE");
        if (own.equals("SHARING_WRITE")) return wanted.startsWith("SHARING_");
        if (own.equals("SHARING_ISCSI_WRITE")) return wanted.startsWith("SHARING_ISCSI_");
        return own.endsWith("_WRITE") && wanted.equals(own.replaceFirst("_WRITE$", "_READ"));
    }
}
