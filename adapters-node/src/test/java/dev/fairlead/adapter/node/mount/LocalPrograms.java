package dev.fairlead.adapter.node.mount;

import dev.fairlead.application.config.Secret;
import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Runs programs of this machine for tests, in the plainest way. */
public final class LocalPrograms implements CommandRunner {
    @Override
    public Ended run(Command command, Work work) {
        AtomicReference<Ended> ended = new AtomicReference<>(Ended.with(127, "", ""));
        work.effect(command.effect(), () -> ended.set(runNow(command)));
        return ended.get();
    }

    private static Ended runNow(Command command) {
        try {
            Path errors = Files.createTempFile("errors", "");
            Path output = Files.createTempFile("output", "");
            ProcessBuilder builder = new ProcessBuilder(command.argv())
                    .redirectError(errors.toFile())
                    .redirectOutput(output.toFile());
            builder.environment().put("LC_ALL", "C");
            Process process = builder.start();
            if (command.input() instanceof Command.Input.Text(Secret text)) {
                process.getOutputStream().write(text.reveal().getBytes(StandardCharsets.UTF_8));
            }
            process.getOutputStream().close();
            if (!process.waitFor(command.deadline().toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                throw new StorageException(
                        new Failure.TimedOut("", command.effect().kind(), command.deadline()));
            }
            Ended ended = Ended.with(
                    process.exitValue(),
                    Files.readString(output, StandardCharsets.UTF_8),
                    Files.readString(errors, StandardCharsets.UTF_8));
            Files.delete(errors);
            Files.delete(output);
            return ended;
        } catch (IOException e) {
            return Ended.with(127, "", String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {}
}
