package dev.fairlead.adapter.grpc;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import csi.v1.ControllerGrpc;
import csi.v1.GroupControllerGrpc;
import csi.v1.IdentityGrpc;
import csi.v1.NodeGrpc;
import dev.fairlead.adapter.grpc.socket.GrpcSettings;
import dev.fairlead.application.port.in.DriverProfile;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A server over the fakes on a real Unix socket, and clients of it. */
public final class Wire implements AutoCloseable {
    private static final EventLoopGroup CLIENT_LOOP = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    public static final List<MethodDescriptor<?, ?>> METHODS = Stream.of(
                    IdentityGrpc.getServiceDescriptor(),
                    ControllerGrpc.getServiceDescriptor(),
                    GroupControllerGrpc.getServiceDescriptor(),
                    NodeGrpc.getServiceDescriptor())
            .flatMap(service -> service.getMethods().stream())
            .<MethodDescriptor<?, ?>>map(method -> method)
            .toList();

    /** One call that the metrics hook was told of. */
    public record Ended(String method, String code) {}

    public final UseCaseFakes useCases = new UseCaseFakes();
    public final List<Ended> ended = new CopyOnWriteArrayList<>();
    private final Map<String, CountDownLatch> waiting = new ConcurrentHashMap<>();
    final Path folder;
    public final Path socket;
    final GrpcServer server;
    public final ManagedChannel channel;
    private final List<ManagedChannel> channels = new ArrayList<>();

    public Wire() {
        this(UseCaseFakes.profile("csi.example.org"), Duration.ofSeconds(30));
    }

    public Wire(DriverProfile profile, Duration patience) {
        this(profile, patience, false);
    }

    /** @param logBodies whether requests and responses are logged at info */
    public Wire(DriverProfile profile, Duration patience, boolean logBodies) {
        try {
            folder = Files.createTempDirectory("wire");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        socket = folder.resolve("csi.sock");
        server = server(profile, patience, socket, logBodies);
        server.start();
        channel = connect(socket);
    }

    private GrpcServer server(DriverProfile profile, Duration patience, Path path, boolean logBodies) {
        Executor threads = task -> Thread.ofVirtual().start(task);
        var endpoint = GrpcSettings.Endpoint.ofSocket(path.toString(), "0600");
        return new GrpcServer(
                new GrpcSettings(
                        List.of(new GrpcSettings.DriverEndpoints(profile, List.of(endpoint))),
                        patience,
                        GrpcSettings.DEFAULT_MAX_MESSAGE_BYTES,
                        Optional.empty(),
                        logBodies),
                Optional.of(useCases.controller()),
                Optional.of(useCases.node()),
                (id, what, wait, cancelled) -> new RecordedWork(id, what, wait.orElseThrow(), cancelled),
                threads,
                call -> ended(call.method(), call.code()));
    }

    ManagedChannel connect(Path path) {
        ManagedChannel opened = NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(path))
                .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
                .eventLoopGroup(CLIENT_LOOP)
                .overrideAuthority("localhost")
                .usePlaintext()
                .build();
        channels.add(opened);
        return opened;
    }

    public IdentityGrpc.IdentityBlockingStub identity() {
        return IdentityGrpc.newBlockingStub(channel);
    }

    public ControllerGrpc.ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel);
    }

    public NodeGrpc.NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel);
    }

    /** A message from its text form. */
    static Message message(Message kind, String text) {
        Message.Builder builder = kind.newBuilderForType();
        try {
            TextFormat.merge(text, builder);
        } catch (TextFormat.ParseException e) {
            throw new IllegalArgumentException(text, e);
        }
        return builder.build();
    }

    /** Calls the RPC whose request this is. */
    public Message call(Message request) {
        return ClientCalls.blockingUnaryCall(channel, methodOf(request), CallOptions.DEFAULT, request);
    }

    @SuppressWarnings("unchecked") // an RPC's request and response are messages
    static MethodDescriptor<Message, Message> methodOf(Message request) {
        return METHODS.stream()
                .filter(method -> method.getRequestMarshaller() instanceof PrototypeMarshaller<?> marshaller
                        && request.getClass().isInstance(marshaller.getMessagePrototype()))
                .map(method -> (MethodDescriptor<Message, Message>) method)
                .findFirst()
                .orElseThrow();
    }

    /** Sends bytes as they are, as the request of an RPC. */
    Status sendRaw(MethodDescriptor<?, ?> method, byte[] bytes) {
        MethodDescriptor<byte[], byte[]> raw = MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(method.getFullMethodName())
                .setRequestMarshaller(RawBytes.INSTANCE)
                .setResponseMarshaller(RawBytes.INSTANCE)
                .build();
        try {
            byte[] _ = ClientCalls.blockingUnaryCall(channel, raw, CallOptions.DEFAULT, bytes);
            return Status.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
    }

    private enum RawBytes implements MethodDescriptor.Marshaller<byte[]> {
        INSTANCE;

        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Opens once the metrics hook has been told of a call of this RPC. */
    public CountDownLatch hasEnded(String method) {
        return waiting.computeIfAbsent(method, _ -> new CountDownLatch(1));
    }

    private void ended(String method, String code) {
        ended.add(new Ended(method, code));
        hasEnded(method).countDown();
    }

    /** The status of a call that must fail. */
    public static Status refused(Supplier<?> call) {
        Object answer;
        try {
            answer = call.get();
        } catch (StatusRuntimeException e) {
            return e.getStatus();
        }
        throw new AssertionError("answered: " + answer + " (expected: a refusal)");
    }

    /** Drains; nobody interrupts a test. */
    public boolean drained(Duration atMost) {
        try {
            return server.drain(atMost);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException {
        channels.forEach(ManagedChannel::shutdownNow);
        boolean _ = drained(Duration.ofSeconds(5));
        try (var left = Files.list(folder)) {
            if (left.findAny().isPresent()) {
                throw new AssertionError("the server left files in " + folder);
            }
        }
        Files.delete(folder);
    }
}
