package dev.fairlead.bootstrap.options;

/** Tells the product's version, as it stands in the jar. */
public final class Version {
    /** The version of a build that is not packed into a jar. */
    private static final String UNPACKED = "0.0.0-dev";

    public static final String NUMBER = number();

    private Version() {}

    private static String number() {
        String packed = Version.class.getPackage().getImplementationVersion();
        return packed == null ? UNPACKED : packed;
    }
}
