package dev.fairlead.adapter.grpc;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.UnknownFieldSet;
import csi.v1.Csi;
import java.util.List;

/**
 * Writes a message for a log without what CSI marks as secret.
 *
 * <p>It goes by the {@code csi_secret} option of the field, at any depth, so that a field that the spec adds is left
 * out without anybody's thinking of it. Fields that the descriptor does not know, a newer caller's, are left out too.
 */
final class SecretStripper {
    private SecretStripper() {}

    static String text(Message message) {
        return TextFormat.printer().emittingSingleLine(true).printToString(strip(message));
    }

    static Message strip(Message message) {
        Message.Builder kept = message.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance());
        message.getAllFields().forEach((field, value) -> {
            if (field.getOptions().getExtension(Csi.csiSecret)) {
                kept.clearField(field);
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                kept.setField(field, field.isRepeated() ? stripAll((List<?>) value) : strip((Message) value));
            }
        });
        return kept.build();
    }

    private static List<Message> stripAll(List<?> messages) {
        return messages.stream().map(message -> strip((Message) message)).toList();
    }
}
