package dev.fairlead.linux;

/** Holds the flags of {@code open(2)} whose values differ between processors (asm/fcntl.h). */
final class OpenFlags {
    static final int O_DIRECTORY;
    static final int O_NOFOLLOW;

    static {
        boolean armOrPower = isArmOrPower(System.getProperty("os.arch", ""));
        O_DIRECTORY = armOrPower ? 0x4000 : 0x10000;
        O_NOFOLLOW = armOrPower ? 0x8000 : 0x20000;
    }

    private OpenFlags() {}

    /** @param processor as the JDK names it */
    static boolean isArmOrPower(String processor) {
        return processor.matches("(aarch64|arm|ppc).*");
    }
}
