/** Requests come to the device here; nobody else may listen. */
export const requestTopic = (deviceId: string) => `devices/${deviceId}/attestation_request`

/** Answers of the device go here; nobody else may publish. */
export const evidenceTopic = (deviceId: string) => `devices/${deviceId}/attestation`

/** Which device answers on a topic; undefined when it is another kind of topic. */
export const deviceOfEvidence = (topic: string): string | undefined =>
  /^devices\/([^/+#]+)\/attestation$/.exec(topic)?.[1]
