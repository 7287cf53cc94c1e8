package dev.fairlead.bootstrap.serving;

import dev.fairlead.bootstrap.Main;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs a driver that kills itself right after one of its effects, which all are told by a line of its log before the
 * next one begins. Programs that are asked for their version at the start do not count.
 *
 * <p>In the folder that the property {@code kills} names, each effect becomes a line of the file {@code steps}; the
 * file {@code kill-after}, as long as it is there, says after how many of them the process dies. With the variable
 * {@code FAIRLEAD_POWER_AFTER} the whole machine dies, as without power: nothing that it has not written yet is kept.
 */
final class DriverToKill {
    private static final int SIGKILL = 9;
    private static final Pattern EFFECT =
            Pattern.compile(" effect request=(?!start )\\S+ effect=(\\S+) target=(.*) ms=\\d+ outcome=(\\w+)\\s*");

    private final Path steps;
    private final Path limit;

    private DriverToKill(Path folder) {
        steps = folder.resolve("steps");
        limit = folder.resolve("kill-after");
    }

    public static void main(String[] arguments) {
        DriverToKill driver = new DriverToKill(Path.of(System.getProperty("kills")));
        System.setErr(new PrintStream(driver.watching(System.err), true, StandardCharsets.UTF_8));
        Main.main(arguments);
    }

    private OutputStream watching(OutputStream log) {
        return new FilterOutputStream(log) {
            @Override
            public void write(byte[] bytes, int start, int length) throws IOException {
                out.write(bytes, start, length);
                Matcher effect = EFFECT.matcher(new String(bytes, start, length, StandardCharsets.UTF_8));
                if (effect.find()) {
                    done(effect.group(1) + " " + effect.group(2) + " " + effect.group(3));
                }
            }
        };
    }

    private synchronized void done(String effect) throws IOException {
        Files.writeString(steps, effect + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (Files.exists(limit)) {
            int left = Integer.parseInt(Files.readString(limit)) - 1;
            Files.writeString(limit, Integer.toString(left));
            if (left == 0) {
                Files.delete(limit);
                if (System.getenv("FAIRLEAD_POWER_AFTER") != null) {
                    Files.writeString(Path.of("/proc/sysrq-trigger"), "c");
                }
                die();
            }
        }
    }

    @SuppressWarnings("restricted") // the JVM is started with --enable-native-access
    private static void die() {
        Linker linker = Linker.nativeLinker();
        try {
            int _ = (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("kill"),
                            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT))
                    .invokeExact((int) ProcessHandle.current().pid(), SIGKILL);
        } catch (Throwable e) {
            throw new IllegalStateException("this process cannot kill itself", e);
        }
    }
}
