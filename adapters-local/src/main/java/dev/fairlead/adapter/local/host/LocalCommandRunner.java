package dev.fairlead.adapter.local.host;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;

/** Runs programs on this machine; a program that is abandoned is killed with its children. */
final class LocalCommandRunner implements CommandRunner {
    /** The exit code of a shell for a program that it does not find. */
    private static final int NOT_FOUND = 127;

    private final String connection;
    private final ThreadFactory threads;
    private final HostTools tools;
    private final Set<LocalProcess> running = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    LocalCommandRunner(String connection, ThreadFactory threads, HostTools tools) {
        this.connection = connection;
        this.threads = threads;
        this.tools = tools;
    }

    @Override
    public Ended run(Command command, Work work) {
        AtomicReference<Ended> ended = new AtomicReference<>(Ended.with(0, "", ""));
        work.effect(command.effect(), () -> ended.set(runNow(command, work)));
        return ended.get();
    }

    private Ended runNow(Command command, Work work) {
        command.argv().forEach(this::checkEncodable);
        List<String> argv = command.argv();
        LocalProcess process = new LocalProcess(connection, command, threads);
        running.add(process);
        try {
            if (closed) {
                throw unavailable("its file has changed or it is no longer used");
            }
            ProcessBuilder builder = new ProcessBuilder(tools.commandLine(argv));
            // The output is parsed, so it must not be translated.
            builder.environment().putAll(Map.of("LC_ALL", "C", "LANG", "C"));
            return explained(argv, process.run(builder.start(), work));
        } catch (IOException e) {
            return explained(argv, Ended.with(NOT_FOUND, "", String.valueOf(e.getMessage())));
        } finally {
            running.remove(process);
        }
    }

    /** Adds to what is said of a program that is not there where it was looked for. */
    private Ended explained(List<String> argv, Ended ended) {
        String hint = ended.exitCode() == NOT_FOUND ? tools.hint(argv) : "";
        return hint.isEmpty()
                ? ended
                : Ended.with(NOT_FOUND, ended.output(), ended.errors().strip() + hint);
    }

    /**
     * Refuses a word that the locale cannot encode: the JDK would replace its characters, and another volume would be
     * touched.
     */
    private void checkEncodable(String word) {
        Charset known = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));
        if (!known.newEncoder().canEncode(word)) {
            throw unavailable("this process cannot hand '" + word + "' to a program: start it with LC_ALL=C.UTF-8");
        }
    }

    private StorageException unavailable(String detail) {
        return new StorageException(new Failure.BackendUnavailable(connection, detail));
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(LocalProcess::abandon);
    }
}
