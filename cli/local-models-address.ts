import type { ConnectionLike } from '@temporalio/client';

/** Temporal keeps texts of its users' with a namespace. */
const dataKey = 'holdfast-local-models';

/** Says, with the server of a local site, where its local models are: whoever finds the one finds the other. */
export async function noteLocalModels(connection: ConnectionLike, namespace: string, url: string): Promise<void> {
  await connection.workflowService.updateNamespace({ namespace, updateInfo: { data: { [dataKey]: url } } });
}

/** Base URL of the local models of the site whose server this is; undefined where the server is no local site's. */
export async function localModelsOf(connection: ConnectionLike, namespace: string): Promise<string | undefined> {
  const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
  return namespaceInfo?.data?.[dataKey];
}
