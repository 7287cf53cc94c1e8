package dev.fairlead.bootstrap.serving;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Has another machine write, one page after the other and past the page cache, while something is done. */
final class SteadyWrites {
    /** Writes until it is told to stop, and says of each write how it ended and how many milliseconds it took. */
    private static final String SCRIPT = """
            . /run/fencing.file
            rm -f /run/fencing.stop
            touch /run/fencing.begun
            while [ ! -e /run/fencing.stop ]; do
              began=$(date +%s%3N)
              dd if=/dev/zero of=$file bs=4096 count=1 seek=512 oflag=direct conv=notrunc 2>/dev/null
              echo "$? $(($(date +%s%3N) - began))"
              sleep 0.05
            done
            """;

    private SteadyWrites() {}

    /**
     * One write.
     *
     * @param code how it ended
     */
    record Write(int code, int milliseconds) {
        private static Write of(String line) {
            String[] words = line.split(" ", 2);
            return new Write(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
        }
    }

    /** Has the machine write from a second before it is done to eight seconds after. */
    static List<Write> during(RemoteShell machine, Runnable done) throws Exception {
        var _ = machine.run("rm -f /run/fencing.begun\n");
        CompletableFuture<String> said = CompletableFuture.supplyAsync(() -> {
            try {
                return machine.run(SCRIPT);
            } catch (IOException | InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        var _ = machine.run("until [ -e /run/fencing.begun ]; do sleep 0.1; done; sleep 1\n");
        done.run();
        var _ = machine.run("sleep 8; touch /run/fencing.stop\n");
        return said.get(2, TimeUnit.MINUTES).lines().map(Write::of).toList();
    }
}
