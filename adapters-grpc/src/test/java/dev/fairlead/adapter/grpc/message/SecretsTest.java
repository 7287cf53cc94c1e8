package dev.fairlead.adapter.grpc.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.MapEntry;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import csi.v1.Csi;
import csi.v1.DeleteVolumeRequest;
import csi.v1.NodeStageVolumeRequest;
import csi.v1.VolumeCapability;
import csi.v1.VolumeCapability.MountVolume;
import dev.fairlead.adapter.grpc.CapturedLogs;
import dev.fairlead.adapter.grpc.UseCaseFakes;
import dev.fairlead.adapter.grpc.Wire;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SecretsTest {
    private static final String SECRET = "hunter2-hunter2-hunter2";
    private static final List<String> FORMS = List.of(
            SECRET,
            HexFormat.of().formatHex(SECRET.getBytes(StandardCharsets.UTF_8)).substring(0, 16),
            Base64.getEncoder()
                    .encodeToString(SECRET.getBytes(StandardCharsets.UTF_8))
                    .substring(0, 16));

    static Stream<Message> requestsWithSecrets() {
        return Wire.METHODS.stream()
                .map(MethodDescriptor::getRequestMarshaller)
                .map(marshaller -> (Message) ((PrototypeMarshaller<?>) marshaller).getMessagePrototype())
                .filter(kind -> kind != null && hasSecret(kind))
                .map(SecretsTest::planted);
    }

    private static boolean hasSecret(Message kind) {
        return kind.getDescriptorForType().getFields().stream().anyMatch(SecretsTest::isSecret);
    }

    private static boolean isSecret(FieldDescriptor field) {
        return field.getOptions().getExtension(Csi.csiSecret);
    }

    /** A request with a secret in every field that is for one, and something in every other field. */
    private static Message planted(Message kind) {
        Message.Builder builder = kind.toBuilder();
        for (FieldDescriptor field : kind.getDescriptorForType().getFields()) {
            if (field.isMapField()) {
                MapEntry<?, ?> entry = (MapEntry<?, ?>) builder.newBuilderForField(field)
                        .setField(field.getMessageType().findFieldByNumber(1), "key")
                        .setField(field.getMessageType().findFieldByNumber(2), isSecret(field) ? SECRET : "plain-value")
                        .build();
                builder.addRepeatedField(field, entry);
            } else if (!field.isRepeated() && field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                builder.setField(field, "/plain-text");
            }
        }
        return builder.setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                500,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFromUtf8(SECRET))
                                        .build())
                        .build())
                .build();
    }

    @ParameterizedTest
    @MethodSource("requestsWithSecrets")
    void a_planted_secret_is_in_no_log_and_no_status(Message request) throws IOException {
        StringBuilder answer = new StringBuilder();
        List<CapturedLogs.Line> lines;

        try (CapturedLogs logs = new CapturedLogs();
                Wire wire = new Wire()) {
            answer.append(outcome(wire, request));
            wire.useCases.script(_ -> {
                throw new StorageException(new Failure.BackendRejected("tank", "no"), new IOException("cause"));
            });
            answer.append(outcome(wire, request));
            wire.useCases.script(_ -> {
                throw new IllegalStateException("bug");
            });
            answer.append(outcome(wire, request));
            lines = logs.lines();
        }

        String rpc = request.getDescriptorForType().getName().replace("Request", "");
        assertThat(lines.stream().filter(line -> line.text().contains(rpc))).hasSizeGreaterThan(5);
        String everything = (lines + answer.toString()).toLowerCase(Locale.ROOT);
        assertThat(FORMS).allSatisfy(form -> assertThat(everything).doesNotContain(form.toLowerCase(Locale.ROOT)));
    }

    private static String outcome(Wire wire, Message request) {
        try {
            return wire.call(request).toString();
        } catch (StatusRuntimeException e) {
            return e.getStatus() + " " + e.getTrailers();
        }
    }

    @Test
    void a_secret_is_found_at_any_depth_and_the_rest_is_kept() throws Exception {
        Message request = DeleteVolumeRequest.newBuilder()
                .setVolumeId("v:t/x")
                .putSecrets("password", SECRET)
                .build();
        // a message of a later version, which wraps today's in a list, a field and a map
        Message nested = Nested.around(request);

        String text = SecretStripper.text(nested);

        assertThat(text).doesNotContain(SECRET).doesNotContain("password");
        assertThat(text.split("v:t/x", -1)).hasSize(4);
    }

    /** Neither is a field that CSI marks: a class's mount options, and the tokens that kubelet adds to a context. */
    @Test
    void what_holds_a_secret_by_its_name_is_concealed_in_mount_flags_and_maps() {
        Message request = NodeStageVolumeRequest.newBuilder()
                .setVolumeCapability(VolumeCapability.newBuilder()
                        .setMount(MountVolume.newBuilder()
                                .addMountFlags("vers=3.0,username=u,Password=" + SECRET + ",uid=7")
                                .addMountFlags("pass=" + SECRET)))
                .putVolumeContext("csi.storage.k8s.io/serviceAccount.tokens", SECRET)
                .putVolumeContext("adminPassword", SECRET)
                .putVolumeContext("csi.storage.k8s.io/node-stage-secret-name", "named")
                .putVolumeContext("share", "/tank/v")
                .build();

        String text = SecretStripper.text(request);

        assertThat(text)
                .doesNotContain(SECRET)
                .contains("vers=3.0,username=u,Password=***,uid=7", "pass=***", "named", "/tank/v");
    }

    @Test
    void a_message_without_secrets_is_kept_as_it_is() {
        Message response = csi.v1.CreateVolumeResponse.newBuilder()
                .setVolume(Responses.volume(UseCaseFakes.VOLUME))
                .build();

        assertThat(SecretStripper.strip(response)).isEqualTo(response);
    }

    /** A message type made for this test, since none of CSI's has a secret below its first level. */
    private static final class Nested {
        private Nested() {}

        static Message around(Message inner) throws Exception {
            var proto = com.google.protobuf.DescriptorProtos.FileDescriptorProto.newBuilder();
            com.google.protobuf.TextFormat.merge("""
                    name: 'nested.proto' syntax: 'proto3' dependency: 'csi.proto'
                    message_type {
                      name: 'Outer'
                      field { name: 'one' number: 1 type: TYPE_MESSAGE label: LABEL_OPTIONAL type_name: '.csi.v1.DeleteVolumeRequest' }
                      field { name: 'many' number: 2 type: TYPE_MESSAGE label: LABEL_REPEATED type_name: '.csi.v1.DeleteVolumeRequest' }
                      field { name: 'by_key' number: 3 type: TYPE_MESSAGE label: LABEL_REPEATED type_name: '.Outer.ByKeyEntry' }
                      nested_type {
                        name: 'ByKeyEntry' options { map_entry: true }
                        field { name: 'key' number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
                        field { name: 'value' number: 2 type: TYPE_MESSAGE label: LABEL_OPTIONAL type_name: '.csi.v1.DeleteVolumeRequest' }
                      }
                    }
                    """, proto);
            var file = com.google.protobuf.Descriptors.FileDescriptor.buildFrom(
                    proto.build(), new com.google.protobuf.Descriptors.FileDescriptor[] {Csi.getDescriptor()});
            var outer = file.findMessageTypeByName("Outer");
            var byKey = outer.findFieldByName("by_key");
            var entry = DynamicMessage.newBuilder(byKey.getMessageType())
                    .setField(byKey.getMessageType().findFieldByName("key"), "k")
                    .setField(byKey.getMessageType().findFieldByName("value"), inner)
                    .build();
            return DynamicMessage.newBuilder(outer)
                    .setField(outer.findFieldByName("one"), inner)
                    .addRepeatedField(outer.findFieldByName("many"), inner)
                    .addRepeatedField(byKey, entry)
                    .build();
        }
    }

    @Test
    void every_request_of_the_spec_that_carries_secrets_is_tried() {
        assertThat(requestsWithSecrets()
                        .map(request -> request.getDescriptorForType().getName()))
                .contains("CreateVolumeRequest", "NodeStageVolumeRequest", "ListSnapshotsRequest")
                .hasSizeGreaterThan(12);
    }
}
