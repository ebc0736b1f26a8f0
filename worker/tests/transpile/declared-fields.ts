import { service } from '@ember/service';
import type StoreService from './store';
import { OtherService } from './other';

export abstract class Tool {
  @service declare private store: StoreService;
  @service private declare other: OtherService;
  declare notThere: string;
  undefinedAtFirst: string;
  definite!: number;
  optional?: string;
  readonly fixed = 1;
  abstract kind: string;
  abstract run(): void;
  constructor(private readonly owner: object, plain: number) {}
}
