import { withoutDeletedClient } from '#shared/data/tracker/projects.ts';
import { type Project, presentProject } from '#shared/domain/tracker/project.ts';

export async function showProject(project: Project) {
  return presentProject(await withoutDeletedClient(project));
}
