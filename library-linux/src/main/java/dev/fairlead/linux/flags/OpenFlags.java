package dev.fairlead.linux.flags;

/** Holds the flags of {@code open(2)} whose values differ between processors (asm/fcntl.h). */
public final class OpenFlags {
    public static final int O_DIRECTORY;
    public static final int O_NOFOLLOW;
    public static final int O_DIRECT;

    static {
        String processor = System.getProperty("os.arch", "");
        boolean armOrPower = isArmOrPower(processor);
        O_DIRECTORY = armOrPower ? 0x4000 : 0x10000;
        O_NOFOLLOW = armOrPower ? 0x8000 : 0x20000;
        O_DIRECT = direct(processor);
    }

    private OpenFlags() {}

    /** @param processor as the JDK names it */
    static boolean isArmOrPower(String processor) {
        return processor.matches("(aarch64|arm|ppc).*");
    }

    static int direct(String processor) {
        if (isArmOrPower(processor)) {
            return processor.startsWith("ppc") ? 0x20000 : 0x10000;
        }
        return 0x4000;
    }
}
