package dev.fairlead.adapter.grpc.socket;

import dev.fairlead.application.port.in.DriverProfile;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Says where CSI is served, and how.
 *
 * @param drivers the CSI names that this process serves, each at its own endpoints
 * @param patience how long a caller without a deadline waits for its answer
 * @param maxMessageBytes requests larger than this are refused
 * @param registration how the drivers register with kubelet; empty if they do not
 * @param logBodies whether requests and responses are logged at info, as democratic-csi logs them, and not only at
 *     debug
 */
public record GrpcSettings(
        List<DriverEndpoints> drivers,
        Duration patience,
        int maxMessageBytes,
        Optional<Registration> registration,
        boolean logBodies) {
    public static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(2);
    public static final int DEFAULT_MAX_MESSAGE_BYTES = 4 << 20;

    public GrpcSettings {
        drivers = List.copyOf(drivers);
        if (drivers.isEmpty()) {
            throw new IllegalArgumentException("drivers: none (expected: at least one CSI name)");
        }
        if (!patience.isPositive()) {
            throw new IllegalArgumentException("patience: " + patience + " (expected: more than nothing)");
        }
        if (maxMessageBytes < 1) {
            throw new IllegalArgumentException("max message bytes: " + maxMessageBytes + " (expected: 1 or more)");
        }
        if (registration.isPresent() && !drivers.stream().allMatch(DriverEndpoints::hasSocket)) {
            throw new IllegalArgumentException("registration: kubelet calls a socket (expected: one for each driver)");
        }
    }

    public static GrpcSettings of(List<DriverEndpoints> drivers) {
        return new GrpcSettings(drivers, DEFAULT_PATIENCE, DEFAULT_MAX_MESSAGE_BYTES, Optional.empty(), false);
    }

    public GrpcSettings registering(Registration where) {
        return new GrpcSettings(drivers, patience, maxMessageBytes, Optional.of(where), logBodies);
    }

    /** Returns these settings with requests and responses in the log at info, or not. */
    public GrpcSettings loggingBodies(boolean atInfo) {
        return new GrpcSettings(drivers, patience, maxMessageBytes, registration, atInfo);
    }

    /** Holds one CSI name, what it says of itself, and where it is served. */
    public record DriverEndpoints(DriverProfile profile, List<Endpoint> endpoints) {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9.]{0,61}[A-Za-z0-9])?");

        public DriverEndpoints {
            endpoints = List.copyOf(endpoints);
            if (!NAME.matcher(profile.name()).matches()) {
                throw new IllegalArgumentException("CSI name: '" + profile.name()
                        + "' (expected: at most 63 letters, digits, - and ., such as org.example.csi)");
            }
            if (endpoints.isEmpty()) {
                throw new IllegalArgumentException(
                        "endpoints of " + profile.name() + ": none (expected: a socket, or an address and a port)");
            }
        }

        boolean hasSocket() {
            return endpoints.stream().anyMatch(UnixSocket.class::isInstance);
        }

        /** Returns the path of its first socket. */
        public Path socket() {
            return endpoints.stream()
                    .filter(UnixSocket.class::isInstance)
                    .map(endpoint -> ((UnixSocket) endpoint).path())
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * Says how this process registers with kubelet.
     *
     * @param folder kubelet's folder of registration sockets, {@code plugins_registry}
     * @param patience how long a driver may take to answer, and how long until it is asked again
     * @param interval the time between two looks at what is in place, if no event comes
     * @param changes opens a watch on a folder
     */
    public record Registration(
            Path folder, Duration patience, Duration interval, Function<Path, FolderChanges> changes) {}

    /** Sees changes of a folder, which may be missing or be replaced. An instance is for one thread. */
    public interface FolderChanges extends AutoCloseable {
        /** Sees what changes from now on. */
        void watch();

        /** Returns when something has changed, or when the time is over. */
        void await(Duration atMost) throws InterruptedException;

        @Override
        void close();
    }

    /** An endpoint is a place to listen at. */
    public sealed interface Endpoint {
        /**
         * Returns the endpoint of a socket as the command line gives it.
         *
         * @param socket a path, with or without {@code unix://} or {@code unix:} before it
         * @param octalMode the mode that the socket gets, such as {@code 0600}
         */
        static Endpoint ofSocket(String socket, String octalMode) {
            String path = socket.startsWith("unix://")
                    ? socket.substring("unix://".length())
                    : socket.startsWith("unix:") ? socket.substring("unix:".length()) : socket;
            if (path.isEmpty() || path.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("socket: '" + socket + "' (expected: a path)");
            }
            return new UnixSocket(Path.of(path), permissions(octalMode));
        }

        private static Set<PosixFilePermission> permissions(String octal) {
            if (!octal.matches("0?[0-7]{3}")) {
                throw new IllegalArgumentException(
                        "socket mode: '" + octal + "' (expected: three octal digits, such as 0600)");
            }
            int mode = Integer.parseInt(octal, 8);
            PosixFilePermission[] fromHighest = PosixFilePermission.values();
            Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
            for (int i = 0; i < fromHighest.length; i++) {
                if ((mode & (0400 >> i)) != 0) {
                    permissions.add(fromHighest[i]);
                }
            }
            return permissions;
        }
    }

    /** Names a Unix socket and its permissions. */
    public record UnixSocket(Path path, Set<PosixFilePermission> permissions) implements Endpoint {
        public UnixSocket {
            permissions = Set.copyOf(permissions);
        }
    }

    /**
     * Names a TCP port, without encryption, for proxies that cannot reach the socket. Port 0 lets the system choose.
     */
    public record Tcp(String address, int port) implements Endpoint {
        public Tcp {
            if (address.isEmpty() || port < 0 || port > 65535) {
                throw new IllegalArgumentException(
                        "address: '" + address + ":" + port + "' (expected: an address and a port up to 65535)");
            }
        }
    }
}
