/** The user who makes something, and the organization that then owns it. */
export interface Owner {
  readonly organizationId: string;
  readonly userId: string;
  /** The organization's default. */
  readonly currency: string;
}
