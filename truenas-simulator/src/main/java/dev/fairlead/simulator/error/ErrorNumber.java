package dev.fairlead.simulator.error;

import java.util.Map;

/** The error numbers of the vendor's answers, and their names. */
public final class ErrorNumber {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int EACCES = 13;
    public static final int EFAULT = 14;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    public static final int EINVAL = 22;
    public static final int ENOSPC = 28;
    public static final int ENOTEMPTY = 39;
    public static final int EOPNOTSUPP = 95;
    public static final int ECANCELED = 125;
    public static final int ENOMETHOD = 201;
    public static final int EDATASETISLOCKED = 205;
    public static final int ENOTAUTHENTICATED = 207;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(EPERM, "EPERM"),
            Map.entry(ENOENT, "ENOENT"),
            Map.entry(EACCES, "EACCES"),
            Map.entry(EFAULT, "EFAULT"),
            Map.entry(EBUSY, "EBUSY"),
            Map.entry(EEXIST, "EEXIST"),
            Map.entry(EINVAL, "EINVAL"),
            Map.entry(ENOSPC, "ENOSPC"),
            Map.entry(ENOTEMPTY, "ENOTEMPTY"),
            Map.entry(EOPNOTSUPP, "EOPNOTSUPP"),
            Map.entry(ECANCELED, "ECANCELED"),
            Map.entry(ENOMETHOD, "ENOMETHOD"),
            Map.entry(202, "ESERVICESTARTFAILURE"),
            Map.entry(203, "EALERTCHECKERUNAVAILABLE"),
            Map.entry(204, "EREMOTENODEERROR"),
            Map.entry(EDATASETISLOCKED, "EDATASETISLOCKED"),
            Map.entry(206, "EINVALIDRRDTIMESTAMP"),
            Map.entry(ENOTAUTHENTICATED, "ENOTAUTHENTICATED"),
            Map.entry(208, "ESSLCERTVERIFICATIONERROR"),
            Map.entry(209, "EREBOOTREQUIRED"),
            Map.entry(210, "EHAUNAVAILABLE"));

    private ErrorNumber() {}

    /** Returns the name of a number, as it stands in brackets before a reason. */
    public static String name(int number) {
        return NAMES.getOrDefault(number, "EUNKNOWN");
    }
}
