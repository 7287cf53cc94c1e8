package dev.fairlead.adapter.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.Status;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Whatever comes over the socket is answered or refused; it is never an error of the driver. */
class HostileRequestsTest {
    // NOT_FOUND: no volume is mounted at a path that cannot be one.
    private static final List<Status.Code> EXPECTED = List.of(
            Status.Code.OK,
            Status.Code.INVALID_ARGUMENT,
            Status.Code.NOT_FOUND,
            Status.Code.OUT_OF_RANGE,
            Status.Code.UNIMPLEMENTED);
    private static final List<String> TEXTS = List.of(
            "",
            "x",
            "v:tank/../../etc/passwd",
            "/",
            "/..",
            "/a/../b",
            "//a///b/./c",
            "relative",
            "a\0b",
            "$(reboot)",
            "'; rm -rf / #",
            "\n\r\t\u0001\u007f\u2028\ud83d\ude00",
            "n".repeat(128),
            "n".repeat(129),
            "/" + "p".repeat(4095),
            "é".repeat(3000),
            "%s%n{}${jndi:ldap://x}");

    @Nullable
    private static Wire wire;

    @BeforeContainer
    static void open() {
        wire = new Wire();
    }

    @AfterContainer
    static void close() throws IOException {
        wire().close();
    }

    private static Wire wire() {
        Wire open = wire;
        if (open == null) {
            throw new IllegalStateException("not open");
        }
        return open;
    }

    @Property(tries = 1500)
    void random_bytes_are_answered_or_refused(@ForAll("methods") MethodDescriptor<?, ?> method, @ForAll byte[] bytes) {
        Status status = wire().sendRaw(method, bytes);

        assertThat(EXPECTED).contains(status.getCode());
    }

    @Property(tries = 2000)
    void hostile_fields_are_answered_or_refused(@ForAll("requests") Message request) {
        Status status = wire().sendRaw(Wire.methodOf(request), request.toByteArray());

        assertThat(EXPECTED).as(status.toString()).contains(status.getCode());
        if (!status.isOk() && status.getCode() != Status.Code.UNIMPLEMENTED) {
            assertThat(status.getDescription()).matches("(?s)FL-[A-Z]+-\\d{3} .+");
        }
    }

    @Property(tries = 1500)
    void damaged_requests_are_answered_or_refused(@ForAll("requests") Message request, @ForAll Random random) {
        byte[] bytes = request.toByteArray();
        for (int i = 0; i < 3 && bytes.length > 0; i++) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }

        Status status = wire().sendRaw(Wire.methodOf(request), bytes);

        assertThat(EXPECTED).as(status.toString()).contains(status.getCode());
    }

    @Provide
    Arbitrary<MethodDescriptor<?, ?>> methods() {
        return Arbitraries.of(Wire.METHODS);
    }

    @Provide
    Arbitrary<Message> requests() {
        return Arbitraries.randomValue(random -> {
            var method = Wire.METHODS.get(random.nextInt(Wire.METHODS.size()));
            var marshaller = (PrototypeMarshaller<?>) method.getRequestMarshaller();
            return hostile((Message) Objects.requireNonNull(marshaller.getMessagePrototype()), random);
        });
    }

    private static Message hostile(Message kind, Random random) {
        Message.Builder builder = kind.newBuilderForType();
        for (FieldDescriptor field : kind.getDescriptorForType().getFields()) {
            if (random.nextInt(8) == 0) {
                continue;
            }
            int count = field.isRepeated() ? random.nextInt(3) : 1;
            for (int i = 0; i < count; i++) {
                Object value = hostile(builder, field, random);
                if (field.isRepeated()) {
                    builder.addRepeatedField(field, value);
                } else {
                    builder.setField(field, value);
                }
            }
        }
        return builder.build();
    }

    private static Object hostile(Message.Builder parent, FieldDescriptor field, Random random) {
        return switch (field.getJavaType()) {
            case STRING -> TEXTS.get(random.nextInt(TEXTS.size()));
            case BOOLEAN -> random.nextBoolean();
            case INT -> number(random).intValue();
            case LONG -> number(random);
            case MESSAGE -> hostile(parent.newBuilderForField(field).build(), random);
            case ENUM -> field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(-1, 10));
            case BYTE_STRING -> ByteString.copyFromUtf8("x");
            case FLOAT -> Float.NaN;
            case DOUBLE -> Double.NaN;
        };
    }

    private static Long number(Random random) {
        return List.of(0L, 1L, -1L, 4096L, Long.MAX_VALUE, Long.MIN_VALUE).get(random.nextInt(6));
    }
}
