package dev.fairlead.simulator.shell;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/**
 * Lets a real shell of this machine run the programs of a box: a folder has a small program of each one's name, which
 * asks here and prints what it is answered.
 */
public final class BoxShell implements AutoCloseable {
    private static final String PROGRAM = """
            #!/bin/bash
            # A program of a simulated box: asks the box to run it.
            LC_ALL=C
            exec 3<>/dev/tcp/127.0.0.1/PORT || exit 127
            input=
            case "${0##*/} $1" in 'zfs receive') input=$(cat) ;; esac
            printf '%s\\0' "$(($# + 2))" "${0##*/}" "$@" "$input" >&3
            IFS= read -r -d '' code <&3 && IFS= read -r -d '' output <&3 && IFS= read -r -d '' errors <&3 || exit 126
            printf '%s' "$output"
            printf '%s' "$errors" >&2
            exit "$code"
            """;

    private final BoxPrograms programs;
    private final ServerSocket server;
    private final Path bin;

    private BoxShell(BoxPrograms programs, ServerSocket server, Path bin) {
        this.programs = programs;
        this.server = server;
        this.bin = bin;
    }

    /** Writes the programs to a folder and answers them. */
    public static BoxShell start(BoxPrograms programs, Path bin, ThreadFactory threads) {
        try {
            Files.createDirectories(bin);
            var shell = new BoxShell(programs, new ServerSocket(0, 50, InetAddress.ofLiteral("127.0.0.1")), bin);
            for (String name : BoxPrograms.NAMES) {
                Path file = Files.writeString(
                        bin.resolve(name), PROGRAM.replace("PORT", Integer.toString(shell.server.getLocalPort())));
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
            threads.newThread(() -> shell.accept(threads)).start();
            return shell;
        } catch (IOException e) {
            throw new IllegalStateException("The shell of the simulated box fails", e);
        }
    }

    /** Returns the folder of the programs, for the path of a shell. */
    public Path bin() {
        return bin;
    }

    private void accept(ThreadFactory threads) {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                threads.newThread(() -> answer(client)).start();
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void answer(Socket client) {
        try (client) {
            InputStream in = new BufferedInputStream(client.getInputStream());
            List<String> words = new ArrayList<>();
            for (int left = Integer.parseInt(word(in)); left > 0; left--) words.add(word(in));
            Printed printed = programs.run(words.getFirst(), words.subList(1, words.size() - 1), words.getLast());
            String answer = printed.code() + "\0" + printed.output() + "\0" + printed.errors() + "\0";
            client.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            return; // whoever asked has gone
        }
    }

    private static String word(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (int next = in.read(); next != 0; next = in.read()) {
            if (next < 0) throw new IOException("cut short");
            bytes.write(next);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new IllegalStateException("The shell of the simulated box fails", e);
        }
    }
}
