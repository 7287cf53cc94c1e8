package dev.fairlead.adapter.grpc.message;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import csi.v1.NodeGetStorageHealthResponse;
import csi.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import csi.v1.NodeGetVolumeHealthResponse;
import csi.v1.NodeGetVolumeStatsResponse;
import csi.v1.StorageHealthErrorType;
import csi.v1.VolumeHealth.VolumeHealthEntry;
import csi.v1.VolumeHealthErrorType;
import dev.fairlead.application.port.in.node.MeasureVolume;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.VolumeHealth;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes how volumes and the storage behind them are. */
public final class HealthResponses {
    /** The greatest length of a text in bytes, which Kubernetes takes into its objects. */
    private static final int LONGEST = 1024;

    /** The number that {@code volume_condition} had until CSI 1.12, and those of its fields. */
    private static final int CONDITION = 2;

    private static final int ABNORMAL = 1;
    private static final int MESSAGE = 2;

    private HealthResponses() {}

    public static NodeGetVolumeHealthResponse volume(String handle, VolumeHealth health) {
        csi.v1.VolumeHealth.Builder volume = csi.v1.VolumeHealth.newBuilder().setVolumeId(handle);
        health.conditions()
                .forEach(it -> volume.addHealthStatuses(VolumeHealthEntry.newBuilder()
                        .setStatus(status(it))
                        .setReason(it.reason().camelCase())
                        .setMessage(cut(it.message()))));
        return NodeGetVolumeHealthResponse.newBuilder().setVolumeHealth(volume).build();
    }

    private static VolumeHealthErrorType status(HealthCondition condition) {
        return switch (condition.status()) {
            case DEGRADED -> VolumeHealthErrorType.DEGRADED;
            case INACCESSIBLE -> VolumeHealthErrorType.INACCESSIBLE;
        };
    }

    public static NodeGetStorageHealthResponse storage(List<HealthCondition> conditions) {
        NodeGetStorageHealthResponse.Builder response = NodeGetStorageHealthResponse.newBuilder();
        conditions.forEach(it -> response.addBackendHealth(StorageBackendHealth.newBuilder()
                .setStatus(
                        switch (it.status()) {
                            case DEGRADED -> StorageHealthErrorType.STORAGE_DEGRADED;
                            case INACCESSIBLE -> StorageHealthErrorType.STORAGE_UNREACHABLE;
                        })
                .setReason(it.reason().camelCase())
                .setMessage(cut(it.message()))));
        return response.build();
    }

    /** Returns the usage with {@code volume_condition}, as callers before CSI 1.13 read it. */
    public static NodeGetVolumeStatsResponse usage(MeasureVolume.Usage usage, VolumeHealth health) {
        String message = health.isAbnormal() ? health.message() : "nothing is known to be wrong";
        UnknownFieldSet condition = UnknownFieldSet.newBuilder()
                .addField(
                        ABNORMAL,
                        UnknownFieldSet.Field.newBuilder()
                                .addVarint(health.isAbnormal() ? 1 : 0)
                                .build())
                .addField(
                        MESSAGE,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8(cut(message)))
                                .build())
                .build();
        return Responses.usage(usage).toBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                CONDITION,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(condition.toByteString())
                                        .build())
                        .build())
                .build();
    }

    private static String cut(String message) {
        String text = message;
        while (text.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            text = text.substring(0, text.length() * 9 / 10) + "…";
        }
        return text;
    }
}
