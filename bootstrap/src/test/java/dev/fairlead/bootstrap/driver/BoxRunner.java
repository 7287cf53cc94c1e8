package dev.fairlead.bootstrap.driver;

import dev.fairlead.application.port.out.host.Command;
import dev.fairlead.application.port.out.host.CommandRunner;
import dev.fairlead.application.port.work.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs commands by a real shell of this machine over the programs of a box that is played, without SSH. */
record BoxRunner(Path programs) implements CommandRunner {
    @Override
    public Ended run(Command command, Work work) {
        List<Ended> ended = new ArrayList<>();
        work.effect(command.effect(), () -> ended.add(shell(command.argv())));
        return ended.isEmpty() ? Ended.with(0, "", "") : ended.getFirst(); // one that lies has done nothing
    }

    private Ended shell(List<String> argv) {
        try {
            Path errors = Files.createTempFile(programs, "errors", "");
            var builder = new ProcessBuilder(argv).redirectError(errors.toFile());
            builder.environment().merge("PATH", programs.toString(), (path, first) -> first + ":" + path);
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            String complaint = Files.readString(errors);
            Files.delete(errors);
            return Ended.with(code, output, complaint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {}
}
